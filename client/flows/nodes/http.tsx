import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { NodeOf } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { httpBodies, httpMethods } from '#shared/flows/nodes/http-fields.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { CheckField, LineField, NumberField, SelectField, useFieldProblem } from '../forms/fields.tsx'
import { PairsField } from '../forms/pairs-field.tsx'
import { TextField } from '../forms/text-field.tsx'
import { variableNameOf } from '../forms/variable-name.ts'
import '../forms/http.css'

const SecretsDialog = lazyDialog(() => import('../forms/secrets-dialog.tsx'))
const CallDialog = lazyDialog(() => import('../forms/call-dialog.tsx'))

type HttpNode = NodeOf<'http'>
interface Part {
  readonly node: HttpNode
  change(part: Partial<HttpNode>, key?: string): void
}

function Kept({ node, change, place }: Part & { readonly place: number }) {
  const { t } = useTranslation('flows')
  const { isReadOnly } = useEditorFacts()
  const kept = node.map[place] as HttpNode['map'][number]
  const put = (next: HttpNode['map'][number], key: string) =>
    change({ map: node.map.map((old, i) => (i === place ? next : old)) }, `map.${place}.${key}`)
  return (
    <fieldset className="flow-named">
      <legend>{t('http.kept', { number: place + 1 })}</legend>
      <LineField
        label={t('http.path')}
        value={kept.path}
        maxLength={200}
        isCode
        fault={useFieldProblem({ nodeId: node.id }, `map.${place}`)}
        onChange={path => put({ ...kept, path }, 'path')}
      />
      <LineField
        label={t('http.saveAs')}
        value={kept.variable}
        maxLength={40}
        isCode
        hint={kept.variable ? t('field.usedAs', { name: `{{flujo.${kept.variable}}}` }) : t('field.variableHint')}
        onChange={typed => put({ ...kept, variable: variableNameOf(typed) }, 'variable')}
      />
      {isReadOnly ? null : (
        <button
          type="button"
          className="icon-button"
          aria-label={t('http.removePair', { name: kept.variable || t('http.kept', { number: place + 1 }) })}
          onClick={() => change({ map: node.map.filter((_, i) => i !== place) })}
        >
          <Icon name="close" />
        </button>
      )}
    </fieldset>
  )
}

/** The request body: JSON, form fields, or none. */
function BodyFields({ node, change }: Part) {
  const { t } = useTranslation('flows')
  const fault = useFieldProblem({ nodeId: node.id }, 'body')
  const { secrets } = useEditorFacts()
  return (
    <>
      <SelectField
        label={t('http.send')}
        value={node.send}
        fault={useFieldProblem({ nodeId: node.id }, 'send')}
        onChange={send => change({ send: send as HttpNode['send'] })}
      >
        {httpBodies.map(one => (
          <option key={one} value={one}>
            {t(`http.sends.${one}`)}
          </option>
        ))}
      </SelectField>
      {node.send === 'json' ? (
        <TextField
          label={t('http.body')}
          hint={t('http.bodyHint')}
          value={node.body}
          max={flowLimits.text}
          rows={6}
          also={secrets}
          fault={fault}
          onChange={body => change({ body }, 'body')}
        />
      ) : null}
      {node.send === 'form' ? (
        <PairsField nodeId={node.id} field="form" pairs={node.form} onChange={(form, key) => change({ form }, key)} />
      ) : null}
    </>
  )
}

function MockFields({ node, change }: Part) {
  const { t } = useTranslation('flows')
  const id = useId()
  const { isReadOnly } = useEditorFacts()
  return (
    <section className="flow-pairs">
      <h3>{t('http.mock')}</h3>
      <p className="field-hint">{t('http.mockHint')}</p>
      <NumberField
        label={t('http.mockStatus')}
        value={node.mock.status}
        min={100}
        max={599}
        onChange={status => change({ mock: { ...node.mock, status } }, 'mock.status')}
      />
      <div className="field">
        <label htmlFor={id}>{t('http.mockBody')}</label>
        <textarea
          dir="ltr"
          id={id}
          className="flow-code"
          rows={4}
          value={node.mock.body}
          maxLength={flowLimits.text}
          readOnly={isReadOnly}
          spellCheck={false}
          onChange={({ target }) => change({ mock: { ...node.mock, body: target.value } }, 'mock.body')}
        />
      </div>
    </section>
  )
}

/** The request, and which parts of the response are stored. */
export default function HttpForm({ node, flush }: { readonly node: HttpNode; flush(): Promise<boolean> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { secrets, isReadOnly } = useEditorFacts()
  const [open, setOpen] = useState<'secrets' | 'call'>()
  const { id, method, refusals = false, idempotencyKey = false } = node
  const change: Part['change'] = (part, key) => changeNode(id, part, key && `${id}.${key}`)
  const isKeyed = method === 'POST' || method === 'PATCH'
  const secretFault = useFieldProblem({ nodeId: id }, 'secrets')
  const urlFault = useFieldProblem({ nodeId: id }, 'url')
  return (
    <>
      <SelectField
        label={t('http.method')}
        value={method}
        onChange={value =>
          change({ method: value as HttpNode['method'], ...(value === 'GET' ? { send: 'nothing' as const } : {}) })
        }
      >
        {httpMethods.map(one => (
          <option key={one} value={one} dir="auto">
            {one}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('http.url')}
        hint={t('http.urlHint')}
        value={node.url}
        max={flowLimits.url}
        rows={2}
        also={secrets}
        fault={urlFault ?? secretFault}
        onChange={url => change({ url: url.slice(0, flowLimits.url) }, 'url')}
      />
      <PairsField
        nodeId={id}
        field="headers"
        pairs={node.headers}
        onChange={(headers, key) => change({ headers }, key)}
      />
      {method === 'GET' ? null : <BodyFields node={node} change={change} />}
      <section className="flow-pairs">
        <h3>{t('http.map')}</h3>
        <p className="field-hint">{t('http.pathHint')}</p>
        {node.map.map((_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are known by their place
          <Kept key={place} node={node} change={change} place={place} />
        ))}
        {isReadOnly || node.map.length >= flowLimits.kept ? null : (
          <button
            type="button"
            className="link flow-add"
            onClick={() => change({ map: [...node.map, { path: '', variable: '' }] })}
          >
            <Icon name="plus" />
            {t('http.addMap')}
          </button>
        )}
      </section>
      <CheckField
        label={t('http.refusals')}
        checked={refusals}
        onChange={isOn => change({ refusals: isOn || undefined })}
      />
      <NumberField
        label={t('http.timeout')}
        value={Math.round(node.timeoutMs / 1000)}
        min={1}
        max={flowLimits.callMs / 1000}
        onChange={seconds => change({ timeoutMs: seconds * 1000 }, 'timeoutMs')}
      />
      {isKeyed ? (
        <CheckField
          label={t('http.idempotency')}
          checked={idempotencyKey}
          onChange={isOn => change({ idempotencyKey: isOn || undefined })}
        />
      ) : null}
      <p className="field-hint">{t(isKeyed && !idempotencyKey ? 'http.noRetries' : 'http.retries')}</p>
      <MockFields node={node} change={change} />
      {isReadOnly ? null : (
        <p className="card-buttons">
          <button type="button" className="button" onClick={() => setOpen('call')}>
            {t('http.call')}
          </button>
          <button type="button" className="button" onClick={() => setOpen('secrets')}>
            {t('http.secrets')}
          </button>
        </p>
      )}
      {open === 'secrets' ? <SecretsDialog onClose={() => setOpen(undefined)} /> : null}
      {open === 'call' ? (
        <CallDialog node={node} flush={flush} onMock={mock => change({ mock })} onClose={() => setOpen(undefined)} />
      ) : null}
    </>
  )
}
