import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useParams } from 'react-router'
import { settle, start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { flowNamesQuery, membersQuery, teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { Editor } from './editor/editor.tsx'
import { flowQuery, liveFlowsQuery } from './queries.ts'
import './editor/editor.css'

export const loader = async (args: LoaderFunctionArgs) => {
  const { org = '', idFlow = '' } = args.params
  await settle(args, flowQuery(org, idFlow))
  return start(args, flowNamesQuery(org), liveFlowsQuery(org), tagsQuery(org), teamsQuery(org), membersQuery(org))
}

function OpenFlow({ id }: { readonly id: string }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const flow = useAnswer(flowQuery(slug, id))
  const { items: flows } = useAnswer(flowNamesQuery(slug))
  const { items: live } = useAnswer(liveFlowsQuery(slug))
  const { items: tags } = useAnswer(tagsQuery(slug))
  const { items: teams } = useAnswer(teamsQuery(slug))
  const { items: members } = useAnswer(membersQuery(slug))
  return (
    <>
      <title>{`${flow.name} · ${t('title')} · ${PRODUCT_NAME}`}</title>
      <Editor flow={flow} flows={flows} live={live} tags={tags} teams={teams} members={members} />
    </>
  )
}

/** `/org/{slug}/flow/{idFlow}`: one flow, as outline or canvas. */
export default function FlowPage() {
  const { idFlow = '' } = useParams()
  return (
    <main className="flow-page column">
      <Suspense fallback={<span className="skeleton flow-page-skeleton" />}>
        <OpenFlow key={idFlow} id={idFlow} />
      </Suspense>
    </main>
  )
}
