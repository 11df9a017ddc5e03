import { flowNamesQuery } from '#client/shell/org-queries.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import './start-flow-dialog.css'
import { useQuery } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { OptionPicker } from '#client/ui/controls/option-picker.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogClose } from '#client/ui/overlays/dialog-close.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { fold } from '#shared/kernel/fold.ts'
import { paths } from '#shared/kernel/paths.ts'

interface StartFlowDialogProps {
  readonly org: string
  readonly phone: string
  readonly name: string
  onClose(): void
}

/** The focused search field is gone; without focus, Escape would not reach the dialog. */
const takeFocus = (link: HTMLAnchorElement | null) => link?.focus()

/** Starts a published flow in a chat, even in one that is assigned. */
export default function StartFlowDialog({ org, phone, name, onClose }: StartFlowDialogProps) {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const failureText = useFailureText()
  const { data, error } = useQuery(flowNamesQuery(org))
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isStarting, start] = useTransition()
  const live = data?.items.filter(({ state }) => state === 'live')
  const wanted = fold(typed.trim())
  const found = (live ?? []).filter(flow => fold(flow.name).includes(wanted))
  const choose = (place: number) => {
    const flow = found[place]
    if (!flow || isStarting) return
    start(async () => {
      try {
        await api.flows.start({ params: { id: flow.id }, body: { phone } })
      } catch (refused) {
        return setFailure(failureText(refused))
      }
      toast(t('startFlow.done', { flow: flow.name }))
      onClose()
    })
  }
  return (
    <Modal title={t('startFlow.title', { name })} onClose={onClose}>
      {live?.length === 0 ? (
        <p>
          {t('startFlow.none')}{' '}
          <Link ref={takeFocus} to={paths.flows(org)}>
            {t('startFlow.draw')}
          </Link>
        </p>
      ) : (
        <div className="picker start-flow">
          <OptionPicker
            label={t('startFlow.list')}
            search={t('startFlow.search')}
            maxChars={flowLimits.name}
            typed={typed}
            options={found.map(flow => ({
              key: flow.id,
              isOn: false,
              content: (
                <>
                  <Icon name="flow" />
                  <span className="cut" dir="auto">
                    {flow.name}
                  </span>
                </>
              ),
            }))}
            isReady={live !== undefined && !isStarting}
            fault={error ? failureText(error) : undefined}
            nothing={t('startFlow.unknown')}
            onType={setTyped}
            onChoose={choose}
          />
        </div>
      )}
      {failure ? <Fault>{failure}</Fault> : null}
      <DialogClose onClose={onClose} />
    </Modal>
  )
}
