import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { apiOf, queryFor } from '#client/app/queries/queries.ts'
import { ProgramRow } from '#client/programs/program-row.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { paths } from '#shared/kernel/paths.ts'
import type { OrgProgram } from '#shared/programs/api.ts'

const EndDialog = lazyDialog(() => import('#client/programs/end-dialog.tsx'))

/** The programs that members have connected to the organization. */
export function Programs() {
  const { t } = useTranslation('programs')
  const { slug } = useOrg()
  const client = useQueryClient()
  const query = queryFor(slug, 'programs.list', {})
  // Connecting and using a program emits no event, so the list is reloaded at each opening.
  const list = useQuery({ ...query, refetchOnMount: 'always' })
  const [ending, setEnding] = useState<OrgProgram>()
  const programs = list.data?.items ?? []
  return (
    <section className="programs-of-org" aria-labelledby="programs">
      <h3 id="programs">{t('list.title')}</h3>
      <p className="field-hint">{t('list.orgText')}</p>
      {list.isError ? <Fault>{t('list.failed')}</Fault> : null}
      {list.isSuccess && !programs.length ? <p>{t('list.none')}</p> : null}
      <ul className="programs">
        {programs.map(program => (
          <ProgramRow
            key={program.id}
            program={program}
            as="h4"
            place={{ label: t('list.by'), name: program.connectedBy ?? t('list.gone') }}
            onEnd={() => setEnding(program)}
          >
            <Link
              className="link"
              to={paths.apiCalls(slug, program.id)}
              aria-label={t('list.callsOf', { name: program.name })}
            >
              {t('list.calls')}
            </Link>
          </ProgramRow>
        ))}
      </ul>
      {ending ? (
        <EndDialog
          name={ending.name}
          onClose={() => setEnding(undefined)}
          end={async () => {
            await apiOf(client)(slug).programs.end({ params: { id: ending.id } })
            await client.invalidateQueries({ queryKey: query.queryKey })
          }}
        />
      ) : null}
    </section>
  )
}
