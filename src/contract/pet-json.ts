import { PET_FIELDS, type Pet } from './pet.ts'

/** Renders an animal as JSON with exact int64s. JSON.stringify is slower and does not support bigints. */
export function petToJson(pet: Pet): string {
  let json = ''
  for (const { name } of PET_FIELDS) {
    const value = pet[name]
    json += `${json === '' ? '' : ','}"${name}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`
  }
  return `{${json}}`
}
