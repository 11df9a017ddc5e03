/** The `{product}` of the spec: `actionRecado`, `labelRecado`, `/{id}/template/recado`. */
export const PRODUCT_NAME = 'Recado'
export const PRODUCT_KEY = 'recado'
