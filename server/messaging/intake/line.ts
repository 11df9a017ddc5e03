const openBrace = 0x7b
/** Objects in a webhook besides those of its messages. */
const objectsAround = 6
const objectsPerMessage = 2
const bytesPerMessage = 1024

/**
 * Estimates the messages of a webhook from its braces, without parsing it. A large one counts as several, so that the
 * backlog is limited in bytes too.
 */
export function estimateMessages(raw: Uint8Array): number {
  let objects = 0
  for (let at = 0; at < raw.length; at += 1) if (raw[at] === openBrace) objects += 1
  const byObjects = Math.ceil((objects - objectsAround) / objectsPerMessage)
  return Math.max(1, byObjects, Math.floor(raw.length / bytesPerMessage))
}

/** The line of webhooks that name no account, or several. */
export const sharedLine = ''

/** Meta's entries begin with the account's id and `changes`, in either order. */
const accountOfEntry = /"id"\s*:\s*"(\w{1,40})"\s*,\s*"(?:time"\s*:\s*\d+\s*,\s*")?changes"\s*:/g

/**
 * The line a webhook waits in. Lines take turns, and each is applied in order of arrival. A line is a connection, or,
 * at the installation's shared address, the one account that the webhook names.
 */
export function intakeLine(connectionId: string | null, raw: Buffer): string {
  if (connectionId !== null) return connectionId
  let account: string | undefined
  for (const [, id] of raw.toString('latin1').matchAll(accountOfEntry)) {
    if (account !== undefined && account !== id) return sharedLine
    account = id
  }
  return account === undefined ? sharedLine : `account ${account}`
}
