import type { Pet } from '../../../client/src/index.ts'

/** One animal as JSON, exact to the last digit. */
export const petJson = ({ id, name, categoryId, status }: Pet): string =>
  `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`
