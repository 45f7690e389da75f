//! Prepares bodies of functions: removes the parts that `cfg` disables, and moves items out.

use super::lowering::Lowering;
use crate::cfg::{Presence, Report};
use crate::lower_syn::attributes_mut;
use crate::tree::{Item, ModDef, Visibility};
use crd_channels_diagnostics::Text;
use std::sync::Arc;
use syn::spanned::Spanned;
use syn::{Attribute, Block, Expr, Local, Stmt};

impl Lowering<'_> {
    /// Removes disabled statements and parts of expressions. Those with an unknown `cfg` stay and cause an error if they are
    /// evaluated.
    pub(crate) fn statements(&mut self, body: &mut Block) {
        body.stmts.retain_mut(|stmt| {
            let attrs = match stmt {
                Stmt::Local(local) => Some(&mut local.attrs),
                Stmt::Macro(call) => Some(&mut call.attrs),
                Stmt::Expr(expr, _) => attributes_mut(expr),
                Stmt::Item(syn::Item::Const(item)) => Some(&mut item.attrs),
                // They are moved out and handled like all items.
                Stmt::Item(_) => None,
            };
            let kept = attrs.is_none_or(|attrs| self.is_there(attrs));
            if kept {
                match stmt {
                    Stmt::Expr(expr, _) => self.parts(expr),
                    Stmt::Local(Local {
                        init: Some(init), ..
                    }) => self.parts(&mut init.expr),
                    Stmt::Item(syn::Item::Const(item)) => self.parts(&mut item.expr),
                    Stmt::Local(_) | Stmt::Macro(_) | Stmt::Item(_) => {}
                }
            }
            kept
        });
    }

    /// Moves the items out of a body, and returns the name of their new module. Constants also stay in the body, like
    /// variables; if there is no other item, there is no module. Kinds are left out: code outside cannot name them.
    pub(crate) fn inside(&mut self, function: &Text, body: &mut Block) -> Option<Text> {
        let taken =
            |stmt: &Stmt| matches!(stmt, Stmt::Item(item) if !matches!(item, syn::Item::Const(_)));
        let first = body.stmts.iter().find(|stmt| taken(stmt))?;
        let span = self.span(first.span());
        let items = body.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Item(item) => Some(item.clone()),
            _ => None,
        });
        let items = items.collect();
        body.stmts.retain(|stmt| !taken(stmt));
        let outside = std::mem::take(&mut self.bodies);
        self.depth += 1;
        let mut items = self.items(items);
        self.depth -= 1;
        self.bodies = outside;
        items.retain(|item| !matches!(item, Item::Type(def) if def.is_kind()));
        let name = Text::from(format!("{function}{{{}}}", span.start));
        self.bodies.push(Item::Mod(Arc::new(ModDef {
            name: name.clone(),
            visibility: Visibility::Above(0),
            span,
            inline: Some(items),
            path: None,
            folder: self.folder.clone(),
            macro_use: false,
            body: true,
        })));
        Some(name)
    }

    /// Removes disabled fields, arms and items inside an expression.
    pub(crate) fn parts(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Struct(literal) => {
                let fields = std::mem::take(&mut literal.fields);
                for mut field in fields {
                    if self.is_there(&mut field.attrs) {
                        self.parts(&mut field.expr);
                        literal.fields.push(field);
                    }
                }
                if let Some(rest) = &mut literal.rest {
                    self.parts(rest);
                }
            }
            Expr::Match(choice) => {
                self.parts(&mut choice.expr);
                choice.arms.retain_mut(|arm| {
                    let kept = self.is_there(&mut arm.attrs);
                    if kept {
                        self.parts(&mut arm.body);
                    }
                    kept
                });
            }
            Expr::Array(list) => {
                let items = std::mem::take(&mut list.elems);
                for mut item in items {
                    if attributes_mut(&mut item).is_none_or(|attrs| self.is_there(attrs)) {
                        self.parts(&mut item);
                        list.elems.push(item);
                    }
                }
            }
            Expr::Block(inner) => self.statements(&mut inner.block),
            Expr::If(branch) => {
                self.statements(&mut branch.then_branch);
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.parts(otherwise);
                }
            }
            Expr::Call(call) => call.args.iter_mut().for_each(|arg| self.parts(arg)),
            Expr::MethodCall(call) => {
                self.parts(&mut call.receiver);
                call.args.iter_mut().for_each(|arg| self.parts(arg));
            }
            Expr::Tuple(tuple) => tuple.elems.iter_mut().for_each(|item| self.parts(item)),
            Expr::Closure(closure) => self.parts(&mut closure.body),
            Expr::Paren(paren) => self.parts(&mut paren.expr),
            Expr::Reference(reference) => self.parts(&mut reference.expr),
            Expr::Assign(assign) => self.parts(&mut assign.right),
            _ => {}
        }
    }

    fn is_there(&mut self, attrs: &mut Vec<Attribute>) -> bool {
        let written = attrs.clone();
        match self.presence(attrs, Report::Attributes) {
            Presence::Present => true,
            Presence::Absent => false,
            Presence::Undecided { .. } => {
                *attrs = written;
                true
            }
        }
    }
}
