/** `1 animal`, `1,200 animals`. */
export const countText = (count: number, what: string): string =>
  `${withCommas(count)} ${what}${count === 1 ? '' : 's'}`

export const withCommas = (count: number): string => count.toLocaleString('en')
