import { type DragEvent, useState } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Accepts files dropped on an element. Without `onFiles` they are ignored, so that the browser does not open them. */
export const useFileDrop = (onFiles: ((files: readonly File[]) => void) | undefined) => {
  const [isOver, setIsOver] = useState(false)
  return {
    isOver: isOver && onFiles !== undefined,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = onFiles ? 'copy' : 'none'
        setIsOver(true)
      },
      onDragLeave(event: DragEvent) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
      },
      onDrop(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(false)
        const files = [...event.dataTransfer.files]
        if (files.length) onFiles?.(files)
      },
    },
  }
}
