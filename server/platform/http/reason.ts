/** The text of an error as stored in a row. */
export const errorReason = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 300)
