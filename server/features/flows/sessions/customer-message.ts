import type { SharedThing } from '../step/advance-types.ts'

/** A customer's message in the conversation of a session. */
export interface CustomerMessage {
  readonly text: string
  readonly isText: boolean
  readonly tappedId: string | null
  readonly shared?: SharedThing | undefined
  readonly at?: string | undefined
}
