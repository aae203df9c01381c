/** The three settings that the harness passes to every peer. */
export function readSettings() {
  return {
    port: Number(required('PORT')),
    key: required('PETSTORE_API_KEY'),
    file: required('DATABASE_FILE'),
  }
}

/** @param {string} name */
function required(name) {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}
