export { openDescriptors, programBelow, residentBytes } from './system.ts'
