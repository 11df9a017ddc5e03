import type { FileSender } from './composer/files/sending-files.ts'

/** Passed from the inbox page to the chat page through the outlet. */
export interface InboxOutlet {
  files: FileSender | undefined
}
