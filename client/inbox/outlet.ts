import type { FileSender } from '#client/inbox/composer/sending-files.ts'

/** What the inbox page passes to the chat page through the outlet. */
export interface InboxOutlet {
  files: FileSender | undefined
}
