import type { Config } from '#server/platform/config/config.ts'

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || /^127\.|^\[?::1\]?$|^\//.test(host)

const isPlain = (url: string | undefined): boolean => {
  if (url === undefined) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !isThisMachine(hostname)
}

/** STARTTLS is used if the mail server offers it, and only `requireTLS` demands it. */
const isPlainMail = (url: string | undefined): boolean => {
  if (url === undefined) return false
  const { protocol, hostname, searchParams } = new URL(url)
  return protocol === 'smtp:' && searchParams.get('requireTLS') !== 'true' && !isThisMachine(hostname)
}

/** The variables whose connections leave this machine unencrypted. */
export function unsealedConnections({ publicUrl, graph, s3, mail, postgres }: Config): string[] {
  const variables: Record<string, boolean> = {
    PUBLIC_URL: isPlain(publicUrl),
    GRAPH_URL: isPlain(graph.url),
    MEDIA_URL: isPlain(s3?.endpoint),
    SMTP_URL: isPlainMail(mail.smtpUrl),
    DATABASE_URL: postgres !== undefined && postgres.ssl === false && !isThisMachine(postgres.host),
  }
  return Object.keys(variables).filter(name => variables[name])
}
