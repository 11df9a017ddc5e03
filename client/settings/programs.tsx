import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { apiOf, queryFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { ProgramRow } from '#client/programs/program-row.tsx'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { mcpPath } from '#shared/mcp/address.ts'
import type { OwnProgram } from '#shared/programs/api.ts'

const EndDialog = lazyDialog(() => import('#client/programs/end-dialog.tsx'))

export const programsQuery = queryFor(undefined, 'programs.listOwn', {})

/** The programs that the person has connected, in all organizations. */
export function Programs() {
  const { t } = useTranslation('programs')
  const client = useQueryClient()
  const { publicUrl } = useFacts()
  const { items } = useAnswer(programsQuery)
  const [ending, setEnding] = useState<OwnProgram>()
  const address = `${publicUrl}${mcpPath}`
  return (
    <>
      {items.length ? (
        <ul className="programs">
          {items.map(program => (
            <ProgramRow
              key={program.id}
              program={program}
              as="h3"
              place={{ label: t('list.in'), name: program.organization.name }}
              onEnd={() => setEnding(program)}
            />
          ))}
        </ul>
      ) : (
        <p>{t('list.none')}</p>
      )}
      <p className="field-hint">{t('list.noneHow')}</p>
      <p className="line wrap">
        <code>{address}</code>
        <CopyButton value={address} label={t('list.copy')} done={t('list.copied')} failed={t('list.copyFailed')} />
      </p>
      {ending ? (
        <EndDialog
          name={ending.name}
          onClose={() => setEnding(undefined)}
          end={async () => {
            await apiOf(client)(undefined).programs.disconnect({ params: { id: ending.id } })
            await client.invalidateQueries({ queryKey: programsQuery.queryKey })
          }}
        />
      ) : null}
    </>
  )
}
