/** Drawn on 16 by 16, as one line each. */
const PATHS = {
  search: 'M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0m-1 3.5 3 3',
  plus: 'M8 3v10M3 8h10',
  x: 'm4 4 8 8m0-8-8 8',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  right: 'M6 3.5 10.5 8 6 12.5',
  down: 'm4 6 4 4 4-4',
  first: 'M12 4 8 8l4 4M4.5 3.5v9',
  last: 'm4 4 4 4-4 4m7.5-8.5v9',
  arrow: 'M8 3v10m4-4-4 4-4-4',
  sliders:
    'M2 5h6.2m3.6 0H14M2 11h2.2m3.6 0H14M11.8 5a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0m-4 6a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0',
  dots: 'M3 8h.8m3.8 0h.8m3.8 0h.8',
  up: 'M8 10.5v-8M4.5 6 8 2.5 11.5 6m-9 7.5h11',
  'down-load': 'M8 2.5v8M4.5 7 8 10.5 11.5 7m-9 6.5h11',
  key: 'M8.5 10.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0m-.8-2.2 5.8-5.8M11 5l2 2',
  alert: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0M8 5v3.5M8 11v.1',
  ask: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0M6.3 6.2a1.8 1.8 0 1 1 2.5 2c-.6.3-.8.7-.8 1.1M8 11.4v.1',
  skip: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0m-8.5 0h5',
} as const

export type IconName = keyof typeof PATHS

/** Always beside a word, or in a control with an `aria-label`. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
