import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { apiOf } from '../queries/queries.ts'
import type { ApiClient } from './api.ts'
import { isApiError, isFromServer } from './api-error.ts'

/** The API for changes, bound to the organization of the address. */
export const useApi = (): ApiClient => {
  const { org } = useParams()
  return apiOf(useQueryClient())(org)
}

/** The text for a failed call: the server's, a proxy's, or that there was no answer. */
export const failureText = (t: TFunction<'common'>, error: unknown): string => {
  if (!isApiError(error)) return t('failed')
  if (error.status === 0) return t('offline')
  if (isFromServer(error)) return error.message
  return t('requestFailed', { status: error.status, message: error.message || t('requestFailedUnknown') })
}

export const useFailureText = (): ((error: unknown) => string) => {
  const { t } = useTranslation('common')
  return error => failureText(t, error)
}
