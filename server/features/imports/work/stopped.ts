import type { ImportFailure } from '#shared/imports/states.ts'

/** The file, or its organization, is such that trying again does not help. */
export class ImportStopped extends Error {
  readonly failure: ImportFailure

  constructor(failure: ImportFailure, options?: ErrorOptions) {
    super(`The import stopped: ${failure}`, options)
    this.failure = failure
  }
}
