import type { FastifyInstance } from 'fastify'
import { mountPictures } from '#server/platform/storage/picture-route.ts'
import { orgErrors } from './errors.ts'
import type { OrgSettingsRoom } from './settings.ts'

/** `GET /logos/:name`, without sign-in, because invitations show it to people who are not yet members. */
export const mountLogos = (app: FastifyInstance, { orgSettings }: { orgSettings: Pick<OrgSettingsRoom, 'logos'> }) =>
  mountPictures(app, {
    pictures: orgSettings.logos,
    room: 'logos',
    name: 'logo',
    summary: 'The picture of an organization.',
    missing: () => orgErrors.LOGO_NOT_FOUND(),
  })
