import type { FastifyInstance } from 'fastify'
import { mountPictures } from '#server/platform/storage/picture-route.ts'
import { orgErrors } from './errors.ts'
import type { OrgSettingsService } from './settings/settings.ts'

/** `GET /logos/:name`, without sign-in, because invitations show it to people who are not yet members. */
export const mountLogos = (app: FastifyInstance, { orgSettings }: { orgSettings: Pick<OrgSettingsService, 'logos'> }) =>
  mountPictures(app, {
    pictures: orgSettings.logos,
    service: 'logos',
    name: 'logo',
    summary: 'The picture of an organization.',
    missing: () => orgErrors.LOGO_NOT_FOUND(),
  })
