/**
 * A step of an engine's schema. Its version is its place in the engine's list. Forward only: never change one that was
 * released.
 */
export interface Migration<Step> {
  readonly name: string
  /** Statements, or code where they would not do; both run in one transaction. */
  readonly step: string | Step
}
