import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { SessionsSkeleton } from '../account/sessions.tsx'
import { SecondFactorSetup } from './second-factor-setup.tsx'

/** Enables the second factor, or replaces its app. */
export default function SecondFactorDialog({ replaces, onClose }: { replaces: boolean; onClose(): void }) {
  const { t } = useTranslation('settings')
  // Fixed at opening, because it is enabled before the dialog has closed.
  const [isReplacing] = useState(replaces)
  const [hasCodes, setHasCodes] = useState(false)
  const title = isReplacing ? 'secondFactor.replaceTitle' : 'secondFactor.enableTitle'
  return (
    <Modal title={t(hasCodes ? 'secondFactor.codesTitle' : title)} onClose={onClose}>
      <Suspense fallback={<SessionsSkeleton />}>
        <SecondFactorSetup
          replaces={isReplacing}
          onCancel={onClose}
          onCodes={() => setHasCodes(true)}
          onDone={onClose}
        />
      </Suspense>
    </Modal>
  )
}
