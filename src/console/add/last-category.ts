const NAME = 'petstore-last-category'

/** The category of the animal added last in this browser: the next one is often of the same. */
export const lastCategory = (): string => localStorage.getItem(NAME) ?? ''

export const rememberCategory = (category: string): void => localStorage.setItem(NAME, category)
