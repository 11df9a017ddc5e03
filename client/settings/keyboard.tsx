import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SwitchRow } from '#client/ui/controls/switch-row.tsx'
import { areSingleKeysOn, switchSingleKeys } from '#client/ui/page/single-keys.ts'
import { isUndoSendOn, switchUndoSend } from '#client/ui/page/undo-send.ts'

/** Keyboard shortcuts and undo of sending, stored in this browser. */
export function KeyboardSettings() {
  const { t } = useTranslation('settings')
  const [isOn, setIsOn] = useState(true)
  const [canUndo, setCanUndo] = useState(false)
  useEffect(() => {
    setIsOn(areSingleKeysOn())
    setCanUndo(isUndoSendOn())
  }, [])
  const change = (isOn: boolean) => {
    switchSingleKeys(isOn)
    setIsOn(isOn)
  }
  return (
    <section className="card" aria-labelledby="keyboard">
      <h2 id="keyboard">{t('keyboard')}</h2>
      <SwitchRow label={t('singleKeys')} hint={t('singleKeysHint')} isOn={isOn} change={change} />
      <SwitchRow
        label={t('undoSend')}
        hint={t('undoSendHint')}
        isOn={canUndo}
        change={isOn => {
          switchUndoSend(isOn)
          setCanUndo(isOn)
        }}
      />
    </section>
  )
}
