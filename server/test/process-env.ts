const { PATH, NODE_COMPILE_CACHE } = process.env

/** The least environment of a started process. It has no settings of the product. */
export const processEnv = { PATH, NODE_COMPILE_CACHE }
