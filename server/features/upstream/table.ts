/** A key pair that signs what we ask the upstream. The newest signs; older ones stay published for a day. */
interface UpstreamKeyTable {
  /** The `kid` of tokens. */
  id: string
  /** JSON: the public key as a JWK. */
  public_key: string
  /** Encrypted JSON: the private key as a JWK. */
  private_key: string
  created_at: string
}

/** An event that the upstream posted: an id that comes again changes nothing. Kept for some days. */
interface UpstreamEventTable {
  org_id: string
  id: string
  received_at: string
}

/** `waiting`: it ended or could not be opened, and is opened again soon · `absent`: the upstream does not serve it. */
export type StreamState = 'open' | 'waiting' | 'absent'

/** The place up to which the events of an address were read. One row for each address that PRODUCT_API_URL had. */
export interface UpstreamStreamTable {
  address: string
  /** The value of `Last-Event-ID` when the stream is opened again. */
  last_id: string | null
  state: StreamState
  /** Why it is not open. */
  detail: string | null
  changed_at: string
  /** Events that did not fit and were skipped. */
  refused: number
  refused_field: string | null
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    upstream_key: UpstreamKeyTable
    upstream_event: UpstreamEventTable
    upstream_stream: UpstreamStreamTable
  }
}
