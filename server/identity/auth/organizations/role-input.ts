import { InvalidInput } from '#server/platform/http/validate.ts'
import { isOrgRole } from '#shared/kernel/permissions.ts'
import type { AllowedPath } from '../calls/allowed-routes.ts'
import { isSiteRole } from './roles.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Refuses a role that is not exactly one of ours: better-auth accepts lists, and trims only its own copy before
 * comparing. Its hooks check again, for calls made inside this process.
 * @throws InvalidInput naming the field
 */
export function checkRoles(path: AllowedPath, body: Readonly<Record<string, unknown>>): void {
  const isAllowed = path.startsWith('/admin/') ? isSiteRole : isOrgRole
  const places: [string, unknown][] = [
    ['body', body],
    ['body.data', body.data],
  ]
  for (const [field, place] of places)
    if (isObject(place) && Object.hasOwn(place, 'role') && !isAllowed(place.role))
      throw new InvalidInput([{ field: `${field}.role`, code: 'enum', params: {} }])
}
