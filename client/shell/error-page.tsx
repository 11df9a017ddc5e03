import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useLocation, useParams, useRouteError } from 'react-router'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useFacts } from '#client/app/facts.ts'
import { MissingPart } from '#client/app/hydration/missing-part.ts'
import type { Refused } from '#client/app/queries/guard.ts'
import { paths } from '#shared/kernel/paths.ts'
import { MissingPartFault } from './missing-part-fault.tsx'
import { landingOf } from './navigation.ts'
import { NotFound } from './not-found.tsx'
import { findOrg, viewerQuery } from './viewer.ts'

/** Returns the status and text of a loader that was refused or of a call that was refused during rendering. */
const refusedOf = (error: unknown): Partial<Refused> | undefined => {
  if (isApiError(error)) return error
  return isRouteErrorResponse(error) && typeof error.data === 'object'
    ? (error.data as Partial<Refused> | undefined)
    : undefined
}

/** Shown in place of a page that failed: not found, or the error with its request id. The rest of the frame stays. */
export function ErrorPage() {
  const error = useRouteError()
  const { t } = useTranslation('shell')
  const { requestId } = useFacts()
  const { pathname, search } = useLocation()
  const { org: wanted } = useParams()
  const viewer = useQueryClient().getQueryData(viewerQuery.queryKey)
  const org = viewer && findOrg(viewer, wanted)
  const refused = refusedOf(error)
  const isNotOffered = refused?.code === 'UPSTREAM_NOT_OFFERED'
  const isNotFound = (isRouteErrorResponse(error) || isApiError(error)) && error.status === 404
  if (isNotFound && !isNotOffered) return <NotFound />
  if (error instanceof MissingPart) return <MissingPartFault />
  const title = t(isNotOffered ? 'error.notOffered' : 'error.title')
  return (
    <main className="plain-page">
      <title>{`${title} · Recado`}</title>
      <h1>{title}</h1>
      <p>{refused?.message || t('error.text')}</p>
      <p className="field-hint">{t('error.request', { id: refused?.requestId || requestId })}</p>
      {/* A full page load, so that nothing of the broken page stays. */}
      <a className="button button-primary" href={pathname + search}>
        {t('error.retry')}
      </a>
      <a className="button button-quiet" href={org ? landingOf(org) : paths.home()}>
        {t('error.home')}
      </a>
    </main>
  )
}
