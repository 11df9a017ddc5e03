import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Test } from 'tap'

/** The official client, connected with a key. `mode`: its protocol version, the newest (`auto`) or that of 2025. */
export async function connectAgent(
  t: Test,
  url: string,
  key: string,
  { mode = 'auto', headers = {} }: { mode?: 'auto' | 'legacy'; headers?: Record<string, string> } = {},
) {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  t.teardown(() => client.close())
  /** Calls a tool and returns its result. Fails if the call is refused. */
  const use = async <T>(name: string, args: Record<string, unknown> = {}): Promise<T> => {
    const result = await client.callTool({ name, arguments: args })
    if (result.isError) throw new Error(`${name}: ${textOf(result)}`)
    return result.structuredContent as T
  }
  return { client, use }
}

export const textOf = ({ content }: { content?: unknown }): string =>
  ((content ?? []) as { text?: string }[]).map(({ text = '' }) => text).join('\n')
