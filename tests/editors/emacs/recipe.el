;;; recipe.el --- eglot's own commands, with the recipe alone  -*- lexical-binding: t -*-

(desk-open "q.sql")
(desk-go "how many")
(let (heard)
  (eglot-hover-eldoc-function (lambda (info &rest _) (when info (setq heard info))))
  (desk-note 'hover (desk-wait "the hover" (lambda () heard))))

(desk-note 'menu (vconcat (desk-act "Generate SQL")))
(desk-wait-text "SELECT count(*)")
(desk-note 'answered (desk-text))
(desk-idle)

;; What Emacs heard of the text as it was may still stand at other words.
(let ((wrong (desk-wait "the finding at its word"
                        (lambda ()
                          (cl-find "nme" (flymake-diagnostics) :key #'desk-marked
                                   :test #'equal)))))
  (desk-note 'finding (flymake-diagnostic-text wrong)))
(desk-go "nme")
;; The fix is offered once the server has looked at the text as it is now.
(desk-wait "the quick fix"
           (lambda ()
             (cl-find "Change to full_name" (eglot-code-actions (point) (point))
                      :key (lambda (action) (plist-get action :title)) :test #'equal)))
(desk-act "Change to full_name")
(desk-note 'fixed (desk-wait-text "'😀', full_name"))

(desk-go "everybody")
(desk-act "Save as verified example")
(desk-note 'saved
           (desk-wait "the example"
                      (lambda ()
                        (let ((training (find-buffer-visiting "training/customers.sql")))
                          (and training
                               (with-current-buffer training
                                 (and (string-search "everybody" (desk-text))
                                      (desk-text))))))))
