/** Ends live streams at once, where nothing else would see before the next sweep that their right has ended. */
export interface Streams {
  /** A person's, or only those of one session. */
  dropUser(userId: string, sessionId?: string): void
  /** A person's in one organization. */
  dropMember(orgId: string, userId: string): void
}
