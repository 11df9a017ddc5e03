import { defineFeature } from '#server/platform/wiring/feature.ts'
import { outsideNameFields, readOutsideNames } from '#server/whatsapp/fields/outside-names.ts'
import { createActivityList } from './activity.ts'
import { createBlocking } from './blocking.ts'
import { createContactsChange } from './changing-many.ts'
import { createContacts } from './contact-details.ts'
import { createContactList } from './contact-list.ts'
import { createContactFields } from './fields.ts'
import { createGallery } from './gallery.ts'
import { createContactImports } from './importing/importing.ts'
import { createMerging } from './merging/merging.ts'
import { takeOutsideNames } from './outside-names.ts'
import { createContactSaving } from './saving.ts'

export const contacts = defineFeature({
  name: 'contacts',
  needs: ['numbers', 'keptMarks', 'tags', 'orgSettings', 'readOrgPhone'],
  create(parts) {
    const { databases, clock, ids, keptMarks, orgSettings } = parts
    const takeKept = keptMarks.take
    const merging = createMerging(parts)
    return {
      services: {
        contacts: {
          ...createContacts(parts),
          ...createContactsChange(parts),
          ...createContactSaving({ ...parts, takeKept, readPhone: parts.readOrgPhone }),
          ...createGallery(databases),
          ...createActivityList(databases),
          ...createBlocking(parts),
          ...createContactList({ ...parts, readCallingCode: orgId => orgSettings.readCallingCode(orgId) }),
        },
        contactFields: createContactFields(parts),
        contactImports: createContactImports({
          ...parts,
          takeKept,
          readCountry: orgId => orgSettings.readCountry(orgId),
        }),
        contactMerges: merging.service,
      },
      takers: [
        {
          feature: 'contacts',
          fields: outsideNameFields,
          apply: (write, items) => takeOutsideNames(write, items.flatMap(readOutsideNames), { clock, ids, takeKept }),
        },
      ],
      chores: [{ name: 'merges that cannot be undone', run: () => merging.prune() }],
    }
  },
})
