/** The little of autocannon that is used here; it brings no types. */
declare module 'autocannon' {
  export interface Result {
    readonly requests: { readonly total: number }
    readonly throughput: { readonly total: number }
    readonly duration: number
    readonly errors: number
    readonly timeouts: number
    readonly non2xx: number
  }
  export default function autocannon(options: {
    readonly url: string
    readonly connections: number
    readonly duration: number
    readonly requests: readonly { readonly headers: Readonly<Record<string, string>> }[]
  }): Promise<Result>
}
