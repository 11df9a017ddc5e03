/** A key pair that signs what we ask the upstream. The newest signs; older ones stay published for a day. */
export interface UpstreamKeyTable {
  /** The `kid` of tokens. */
  id: string
  /** JSON: the public key as a JWK. */
  public_key: string
  /** Encrypted JSON: the private key as a JWK. */
  private_key: string
  created_at: string
}

/** An event that the upstream posted: an id that comes again changes nothing. Kept for some days. */
export interface UpstreamEventTable {
  org_id: string
  id: string
  received_at: string
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    upstream_key: UpstreamKeyTable
    upstream_event: UpstreamEventTable
  }
}
