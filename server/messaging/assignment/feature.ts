import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createAssignment, createAssignmentCleaning } from './assignment.ts'
import { type Choose, createChoose, createGivingOutListener } from './giving-out.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** Chooses who gets a conversation whose customer begins to wait. */
    choosing: Choose
  }
}

export const assignment = defineFeature({
  name: 'assignment',
  needs: ['scopes', 'businessHours'],
  create(parts) {
    const giving = { ...parts, isOpenAt: parts.businessHours.isOpenAt }
    const choosing = createChoose(giving)
    return {
      provides: { choosing },
      services: { assignment: createAssignment(giving) },
      listeners: [createGivingOutListener(choosing), createAssignmentCleaning()],
    }
  },
})
