;;; cancel.el --- A slow answer blocks nothing, and can be stopped  -*- lexical-binding: t -*-

(desk-open "q.sql")
(desk-go "all names")
(desk-act "Generate SQL")
(desk-wait "the model to be asked" (lambda () (file-exists-p (getenv "ASKED"))))
(goto-char (point-min))
(desk-type "-- typed meanwhile\n")
(desk-note 'before (desk-text))
(eglot-execute-command (eglot-current-server) 'sqlscribe.cancel nil)
;; Where it was stopped, a second time finds nothing.
(eglot-execute-command (eglot-current-server) 'sqlscribe.cancel nil)
(desk-has-said "nothing is being answered")
(desk-note 'after (desk-text))
