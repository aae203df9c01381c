/** The bundler includes style sheets that code imports. */
declare module '*.css'
