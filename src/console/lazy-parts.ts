import { lazy } from './parts/lazy.tsx'

/** What the first view does not need: each is loaded when it is first used. */
export const Found = lazy(async () => (await import('./find/found.tsx')).Found)
export const AnimalDetails = lazy(async () => (await import('./details/animal-details.tsx')).AnimalDetails)
export const ImportSheet = lazy(async () => (await import('./import/import-sheet.tsx')).ImportSheet)
export const ExportSheet = lazy(async () => (await import('./export/export-sheet.tsx')).ExportSheet)
export const HelpSheet = lazy(async () => (await import('./help/help-sheet.tsx')).HelpSheet)
