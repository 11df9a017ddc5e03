import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOrg } from '#client/shell/viewer.ts'
import { useWhen } from '#client/templates/words.tsx'
import { sendQuery } from '../queries.ts'

interface AgainFieldProps {
  /** Undefined: not included. */
  readonly sendId: string | undefined
  onChange(sendId: string | undefined): void
}

/** Includes the recipients of the repeated send. Nothing if it had none of its own. */
export function AgainField({ sendId, onChange }: AgainFieldProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const when = useWhen()
  const [offered] = useState(sendId)
  const { data: send } = useQuery({ ...sendQuery(slug, offered ?? ''), enabled: offered !== undefined })
  if (offered === undefined) return null
  return (
    <label className="bulk-check">
      <input
        type="checkbox"
        checked={sendId !== undefined}
        onChange={({ target }) => onChange(target.checked ? offered : undefined)}
      />
      <span suppressHydrationWarning>
        {send
          ? t('audience.againSays', { name: send.template.name, when: when(send.startedAt ?? send.createdAt) })
          : t('audience.again')}
      </span>
    </label>
  )
}
