/** One step of an engine's schema. Its version is its position in the engine's list. Never change a released step. */
export interface Migration<Step> {
  readonly name: string
  /** SQL statements, or code where SQL is not enough. Both run in one transaction. */
  readonly step: string | Step
}
