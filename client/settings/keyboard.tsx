import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { areSingleKeysOn, switchSingleKeys } from '../ui/single-keys.ts'
import { SwitchRow } from '../ui/switch-row.tsx'

/** Whether letters alone are keys of the inbox: kept in this browser, where the keyboard is. */
export function KeyboardSettings() {
  const { t } = useTranslation('settings')
  const [isOn, setIsOn] = useState(true)
  useEffect(() => setIsOn(areSingleKeysOn()), [])
  const change = (isOn: boolean) => {
    switchSingleKeys(isOn)
    setIsOn(isOn)
  }
  return (
    <section className="card" aria-labelledby="keyboard">
      <h2 id="keyboard">{t('keyboard')}</h2>
      <SwitchRow label={t('singleKeys')} hint={t('singleKeysHint')} isOn={isOn} change={change} />
    </section>
  )
}
