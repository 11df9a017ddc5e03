import type { FastifyInstance } from 'fastify'
import type { DescribedCall } from '../described-calls.ts'
import { orgErrors } from './errors.ts'
import { logoPrefix } from './logos.ts'
import type { OrgSettingsRoom } from './settings.ts'

/** A picture opened by itself is a page of this site: nothing in it may run or ask for anything. */
const logoPolicy =
  "default-src 'none'; img-src 'self'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const call: DescribedCall = {
  room: 'logos',
  name: 'logo',
  method: 'GET',
  url: `${logoPrefix}:name`,
  summary: 'The picture of an organization.',
  access: 'anyone',
  params: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  reply: { type: 'string', format: 'binary' },
  replyType: 'image/*',
  refuses: [404, 429, 500],
}

/** `GET /logos/:name`, for everybody: an invitation shows it to whoever is not in yet. */
export function mountLogos(
  app: FastifyInstance,
  { orgSettings }: { orgSettings: Pick<OrgSettingsRoom, 'readLogo'> },
): void {
  app.route({
    method: 'GET',
    url: `${logoPrefix}:name`,
    config: { describeCalls: () => ({ calls: [call] }) },
    handler: async (request, reply) => {
      const { name } = request.params as { name: string }
      const logo = await orgSettings.readLogo(name)
      if (!logo) throw orgErrors.LOGO_NOT_FOUND()
      const etag = `"${name}"`
      reply.headers({
        'content-security-policy': logoPolicy,
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
        etag,
      })
      if (request.headers['if-none-match'] === etag) return reply.status(304).send()
      return reply.type(logo.type).send(logo.bytes)
    },
  })
}
