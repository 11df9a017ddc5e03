import type { ImportException } from './exception.ts'

/* Imports of a higher layer, or of another page. */

export const upward: readonly ImportException[] = [
  {
    where: 'server/web/',
    what: 'server/app.ts',
    why: 'the type of the function that mounts the pages on the application',
  },
]

export const client: readonly ImportException[] = [
  {
    where: 'client/app/routes/',
    what: 'client/',
    why: 'the route table imports every page',
  },
  {
    where: 'client/app/start-page.tsx',
    what: 'client/shell/',
    why: 'the first render shows the shell and loads the session',
  },
  { where: 'client/app/entry.client.tsx', what: 'client/shell/', why: 'the styles of every page' },
  {
    where: 'client/contacts/contact-side.tsx',
    what: 'client/inbox/contact/contact-card.tsx',
    why: 'the contact list shows the same card as the inbox, loaded on demand',
  },
]
