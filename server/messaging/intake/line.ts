const openBrace = 0x7b
/** Around the messages of a webhook stand about so many objects. */
const objectsAround = 6
const objectsPerMessage = 2
const bytesPerMessage = 1024

/**
 * About how many messages a webhook brings, told by its braces without parsing it; one of many bytes counts as several,
 * so that what waits is bounded in bytes as well.
 */
export function estimateMessages(raw: Uint8Array): number {
  let objects = 0
  for (let at = 0; at < raw.length; at += 1) if (raw[at] === openBrace) objects += 1
  const byObjects = Math.ceil((objects - objectsAround) / objectsPerMessage)
  return Math.max(1, byObjects, Math.floor(raw.length / bytesPerMessage))
}

/** Of webhooks that name no account, or several. */
export const sharedLine = ''

/** An entry of Meta's begins with its account and its changes, in either order. */
const accountOfEntry = /"id"\s*:\s*"(\w{1,40})"\s*,\s*"(?:time"\s*:\s*\d+\s*,\s*")?changes"\s*:/g

/**
 * The line a webhook waits in. Lines take turns, and each keeps its order of arrival: that of a connection, or, at the
 * installation's shared address, that of the one account the webhook is about.
 */
export function lineOf(connectionId: string | null, raw: Buffer): string {
  if (connectionId !== null) return connectionId
  let account: string | undefined
  for (const [, id] of raw.toString('latin1').matchAll(accountOfEntry)) {
    if (account !== undefined && account !== id) return sharedLine
    account = id
  }
  return account === undefined ? sharedLine : `account ${account}`
}
