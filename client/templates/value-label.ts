import { useTranslation } from 'react-i18next'
import type { NeededValue } from './send-values.ts'

/** The label of a needed value, with its card. */
export const useValueLabel = (): ((needed: NeededValue) => string) => {
  const { t } = useTranslation('templates')
  return ({ part, name, format = 'IMAGE', card }) => {
    const label =
      part === 'file'
        ? t(`send.file.${format}`)
        : part === 'offer'
          ? t('send.offerEnd')
          : part === 'button'
            ? t(name ? 'send.button' : 'send.code', { name })
            : t(part === 'header' ? 'send.headerValue' : 'send.value', { name })
    return card === undefined ? label : t('send.ofCard', { number: card + 1, label })
  }
}
