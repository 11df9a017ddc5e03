import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import t from 'tap'
import { OrgContext, useOrg } from '#client/shell/viewer.ts'

const Part = () => createElement('b', null, useOrg().slug)

t.test('a part of the page has the organization of its frame, even if the viewer changed meanwhile', async t => {
  const org = { id: 'o1', slug: 'antes', name: 'Panadería', logo: null, role: 'owner' } as never
  // There is no viewer here: a part that asked for one would fail.
  t.equal(renderToString(createElement(OrgContext, { value: org }, createElement(Part))), '<b>antes</b>')
})

t.test('outside the frame there is no organization', async t => {
  t.throws(() => renderToString(createElement(Part)), /outside a page of an organization/)
})
