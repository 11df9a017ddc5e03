/**
 * A form for one field, which refers to it by id: at every letter browsers scan all fields of the field's form, or of
 * the page if it has none, for autofill. It submits nothing.
 */
export const OwnForm = ({ id }: { readonly id: string }) => (
  <form id={id} hidden onSubmit={event => event.preventDefault()} />
)
