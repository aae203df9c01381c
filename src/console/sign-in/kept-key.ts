const NAME = 'petstore-api-key'

/** Kept for this browser tab only: it survives a reload and ends with the tab. */
export const keptKey = (): string | undefined => sessionStorage.getItem(NAME) ?? undefined

export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key)

export const forgetKey = (): void => sessionStorage.removeItem(NAME)

/** Enough of a key to tell which one it is, and no more. A key without our prefix shows nothing of itself. */
export const visibleHint = (key: string): string =>
  /^pets_(?:live|test)_.{4}/.exec(key)?.[0].concat('…') ?? ''
