import type { FileSender } from '#client/inbox/composer/sending-files.ts'

/** What the pages beside the list are given. */
export interface InboxOutlet {
  files: FileSender | undefined
}
