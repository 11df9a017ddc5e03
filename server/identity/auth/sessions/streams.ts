/** Closes live streams at once. Without it they would end with the next periodic check. */
export interface Streams {
  /** Closes the streams of a person, or only of one session. */
  dropUser(userId: string, sessionId?: string): void
  /** Closes the streams of a person in one organization. */
  dropMember(orgId: string, userId: string): void
}
