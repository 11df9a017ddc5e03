import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { maxSelectedContacts } from '#shared/contacts/api.ts'
import type { useMatching } from './use-matching.ts'

export interface SelectAllProps {
  readonly shown: number
  readonly isAllShown: boolean
  /** More contacts match than those that are loaded, and they are not selected. */
  readonly mayHaveMore: boolean
  readonly matching: ReturnType<typeof useMatching>
  onShown(isOn: boolean): void
  onMatching(ids: readonly string[]): void
}

/** Selects the loaded contacts: the box in the head of the table. */
export function SelectShown({ shown, isAllShown, isSome, onShown }: SelectAllProps & { readonly isSome: boolean }) {
  const { t } = useTranslation('contacts')
  return (
    <input
      type="checkbox"
      className="contact-pick"
      aria-label={t('select.all', { count: shown })}
      ref={box => {
        if (box) box.indeterminate = isSome && !isAllShown
      }}
      checked={isAllShown}
      onChange={({ target }) => onShown(target.checked)}
    />
  )
}

/** The buttons in the bar of a selection: selects all loaded contacts, then all contacts that match the filters. */
export function SelectMore({ shown, isAllShown, mayHaveMore, matching, onShown, onMatching }: SelectAllProps) {
  const { t } = useTranslation('contacts')
  const failureText = useFailureText()
  const findAll = async () => {
    try {
      const all = await matching.find()
      if (!all) return
      onMatching(all.ids)
      if (all.isMore) toast(t('select.most', { count: maxSelectedContacts }), { kind: 'info' })
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
    }
  }
  if (matching.found !== undefined)
    return (
      <>
        <span className="small" role="status">
          {t('select.finding', { count: matching.found })}
        </span>
        <button type="button" className="link" onClick={matching.stop}>
          {t('select.stop')}
        </button>
      </>
    )
  if (!isAllShown)
    return (
      <button type="button" className="link" onClick={() => onShown(true)}>
        {t('select.all', { count: shown })}
      </button>
    )
  return mayHaveMore ? (
    <button type="button" className="link" onClick={() => void findAll()}>
      {t('select.matching')}
    </button>
  ) : null
}
