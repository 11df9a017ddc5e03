import { useEffect, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { isServerThere, reloadPageOnce } from '#client/app/hydration/missing-part.ts'

/**
 * Replaces a page whose script did not load: reloads once if that helps, otherwise shows a notice with a retry button.
 */
export function MissingPartFault() {
  const { t } = useTranslation('shell')
  const [isSettled, setSettled] = useState(false)
  const [isStillAway, setStillAway] = useState(false)
  const [isTrying, startTrying] = useTransition()
  const retry = () =>
    startTrying(async () => {
      // Reloads only if the server answers: the browser's own offline page would discard typed text.
      if (await isServerThere()) location.reload()
      else setStillAway(true)
    })
  useEffect(() => {
    let isGone = false
    void reloadPageOnce().then(reloads => {
      if (!isGone && !reloads) setSettled(true)
    })
    const onOnline = () =>
      void isServerThere().then(isThere => {
        if (isThere && !isGone) location.reload()
      })
    addEventListener('online', onOnline)
    return () => {
      isGone = true
      removeEventListener('online', onOnline)
    }
  }, [])
  return (
    <main className="plain-page">
      <title>{`${t('missingPart.title')} · Recado`}</title>
      {isSettled ? (
        <>
          <h1>{t('missingPart.title')}</h1>
          <p role="alert">{t(isStillAway ? 'missingPart.stillAway' : 'missingPart.text')}</p>
          <button type="button" className="button button-primary" onClick={retry} aria-disabled={isTrying}>
            {t('error.retry')}
          </button>
        </>
      ) : (
        <p role="status">{t('missingPart.loading')}</p>
      )}
    </main>
  )
}
